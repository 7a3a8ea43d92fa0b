/** Share of the screen that a toolbar leaves to a list that scrolls inside it. */
const SHARE = 0.6;

/**
 * `initialRect` of a virtualised list that fills the rest of the window: its rows are in the first render, and the browser lays the
 * screen out once. Without it the first render has no rows, and measuring the empty frame lays the screen out for nothing.
 * @returns CSS pixels
 */
export const guessedFrame = () => ({ width: innerWidth, height: innerHeight * SHARE });
