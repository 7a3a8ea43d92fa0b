/** A guard can call an SOS a false alarm for this long. */
export const SOS_CANCEL_SECONDS = 60;
