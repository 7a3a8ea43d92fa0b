// Registers no handler.
export const quiet = true;
