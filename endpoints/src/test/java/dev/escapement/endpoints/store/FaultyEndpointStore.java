package dev.escapement.endpoints.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/** Injects faults before an operation, when nothing was done, or after it, when its response is lost. */
public final class FaultyEndpointStore {

    /** Throws to simulate a fault of the database. */
    public interface Hook {

        /**
         * Called before the operation.
         *
         * @param call the name of the method
         */
        default void before(String call) {}

        /** Called after the operation; an exception hides its success from the caller. */
        default void after(String call) {}
    }

    /** Methods that do not query the database. */
    private static final Set<String> UNHOOKED_METHODS =
            Set.of("clock", "clockSetBackCount", "onChange", "toString", "hashCode", "equals");

    private FaultyEndpointStore() {}

    /** Returns the store with the hook around each operation. */
    public static EndpointStore wrap(EndpointStore store, Hook hook) {
        Object proxy = Proxy.newProxyInstance(
                EndpointStore.class.getClassLoader(),
                new Class<?>[] {EndpointStore.class},
                (self, method, arguments) -> {
                    boolean harmless = UNHOOKED_METHODS.contains(method.getName());
                    if (!harmless) {
                        hook.before(method.getName());
                    }
                    try {
                        Object answer = method.invoke(store, arguments);
                        if (!harmless) {
                            hook.after(method.getName());
                        }
                        return answer;
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
        return (EndpointStore) proxy;
    }
}
