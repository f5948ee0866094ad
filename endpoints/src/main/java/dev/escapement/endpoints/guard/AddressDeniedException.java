package dev.escapement.endpoints.guard;

/** Thrown instead of connecting to an address that may not be called. */
public final class AddressDeniedException extends Exception {

    private static final long serialVersionUID = 1;

    AddressDeniedException(String host, AddressKind kind) {
        // A decision, not a bug: the stack trace would be useless.
        super(describe(host, kind), null, false, false);
    }

    /** Names only the kind of address: the address itself would reveal the internal network to callers. */
    static String describe(String host, AddressKind kind) {
        String why = host + " resolves to " + kind.description();
        return kind.isAlwaysDenied()
                ? why + ", which is never called; use another host"
                : why + ", which is not called by default (" + kind + "); an operator can allow it with the setting"
                        + " endpoints.allow";
    }
}
