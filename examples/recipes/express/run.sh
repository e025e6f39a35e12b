exec node receiver.mjs
