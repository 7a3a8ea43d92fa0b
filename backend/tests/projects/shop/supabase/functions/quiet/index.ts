// Never serves anything.
export const quiet = true;
