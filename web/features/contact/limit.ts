// The one failure of sending whose reason helps the visitor: too many messages from the same address.

/** Its message says, in plain words, when to try again. */
export class TooManyMessages extends Error {}
