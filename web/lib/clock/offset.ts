// What the device's own clock says about the offset to the server's clock, while the server can't be asked.

/** A moment on the device. */
export type Moment = {
  /** Milliseconds since 1970 by the device's clock, right or wrong. */
  deviceAt: number;
  /** Milliseconds of the page's monotonic clock, which nobody can set; null for a moment of another page. */
  ticks: number | null;
};

export type KnownOffset = {
  /** Milliseconds that the server's clock is ahead of the device's. */
  offset: number;
  /** The clock may have been corrected unseen: good enough to show, but the server corrects times itself as they arrive. */
  isDoubted: boolean;
  /** When the offset was last known to be right. */
  seen: Moment;
};

/** Two measurements of one clock differ by their round trips. */
export const JUMP_MS = 10_000;
/** A clock that is less wrong than this is not worth correcting for a person. */
const WRONG_MS = 60_000;
/** Setting a clock by hand is exact to about this. */
const BY_HAND_MS = 120_000;

/** Another page saw the clock before: how long ago is unknown, so only a clock that was set back is certain. */
function acrossPages(known: KnownOffset, now: Moment): KnownOffset {
  const passed = now.deviceAt - known.seen.deviceAt;
  const serverSeenAt = known.seen.deviceAt + known.offset;
  if (passed < -JUMP_MS) {
    const isRightNow = known.offset < -WRONG_MS && now.deviceAt >= serverSeenAt - JUMP_MS;
    return isRightNow
      ? { offset: 0, isDoubted: true, seen: now }
      : // As after an empty battery. It is at least as late as then.
        { offset: Math.round(serverSeenAt - now.deviceAt), isDoubted: known.isDoubted, seen: now };
  }
  const mayHideCorrection = known.offset > WRONG_MS && passed > known.offset - BY_HAND_MS;
  return { ...known, isDoubted: known.isDoubted || mayHideCorrection, seen: now };
}

/**
 * The offset at a later moment. The monotonic clock of a page shows when the device's clock was set back, and stops while the
 * device sleeps: a jump forward is sleep, unless it is what a slow clock lacked.
 */
export function followClock(known: KnownOffset, now: Moment): KnownOffset {
  const { offset, seen } = known;
  if (seen.ticks === null || now.ticks === null) return acrossPages(known, now);
  const jump = now.deviceAt - seen.deviceAt - (now.ticks - seen.ticks);
  if (jump < -JUMP_MS) return { ...known, offset: Math.round(offset - jump), seen: now };
  if (jump <= JUMP_MS || offset <= WRONG_MS) return { ...known, seen: now };
  const isCorrection = Math.abs(jump - offset) <= BY_HAND_MS;
  if (isCorrection) return { offset: Math.round(offset - jump), isDoubted: true, seen: now };
  const mayHideCorrection = jump > offset;
  return { ...known, isDoubted: known.isDoubted || mayHideCorrection, seen: now };
}

/** Whether the device's clock has moved against the monotonic one since: it was set, or the device slept. */
export function hasJumped({ seen }: KnownOffset, now: Moment): boolean {
  if (seen.ticks === null || now.ticks === null) return false;
  return Math.abs(now.deviceAt - seen.deviceAt - (now.ticks - seen.ticks)) > JUMP_MS;
}
