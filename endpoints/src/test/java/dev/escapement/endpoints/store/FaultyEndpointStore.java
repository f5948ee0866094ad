package dev.escapement.endpoints.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/** Puts faults around a store: before a call, when nothing was done, and after it, when the answer is lost. */
public final class FaultyEndpointStore {

    /** What throws stands in for the database. */
    public interface Hook {

        /**
         * Nothing was done yet.
         *
         * @param call the name of the method
         */
        default void before(String call) {}

        /** It was done, and the caller does not know if this throws. */
        default void after(String call) {}
    }

    /** These ask nothing of a database. */
    private static final Set<String> UNHOOKED_METHODS = Set.of("clock", "onChange", "toString", "hashCode", "equals");

    private FaultyEndpointStore() {}

    /** The store with the hook around each of its calls. */
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
