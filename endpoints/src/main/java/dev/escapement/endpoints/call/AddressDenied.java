package dev.escapement.endpoints.call;

/** A connection that is not made, because of the address that it would lead to. */
final class AddressDenied extends Exception {

    private static final long serialVersionUID = 1;

    AddressDenied(String host, AddressKind kind) {
        // It stands for a decision, not for a bug: nobody needs the stack.
        super(reason(host, kind), null, false, false);
    }

    /** Names the kind of address only: the address itself would tell strangers what the inside looks like. */
    static String reason(String host, AddressKind kind) {
        String why = host + " leads to " + kind.words();
        return kind.isAlwaysDenied()
                ? why + ", which is never called; use another host"
                : why + ", which is not called by default (" + kind + "); an operator can allow it with the setting"
                        + " endpoints.allow";
    }
}
