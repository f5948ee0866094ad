package dev.escapement.endpoints.guard;

/** A connection that is not made, because of the address that it would lead to. */
public final class AddressDeniedException extends Exception {

    private static final long serialVersionUID = 1;

    AddressDeniedException(String host, AddressKind kind) {
        // It stands for a decision, not for a bug: nobody needs the stack.
        super(describe(host, kind), null, false, false);
    }

    /** Names the kind of address only: the address itself would tell strangers what the inside looks like. */
    static String describe(String host, AddressKind kind) {
        String why = host + " leads to " + kind.description();
        return kind.isAlwaysDenied()
                ? why + ", which is never called; use another host"
                : why + ", which is not called by default (" + kind + "); an operator can allow it with the setting"
                        + " endpoints.allow";
    }
}
