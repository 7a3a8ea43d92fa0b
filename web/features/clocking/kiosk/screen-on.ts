// Keeps the screen of a shared device on (W3C Screen Wake Lock API): a dark one counts as away, and alerts the office.

export const canKeepScreenOn = () => 'wakeLock' in navigator;

/** @returns the function that lets it go dark again */
export function keepScreenOn(): () => void {
  if (!canKeepScreenOn()) return () => {};
  const stopping = new AbortController();
  const { signal } = stopping;
  let lock: WakeLockSentinel | undefined;
  async function hold() {
    // The browser releases it when the page is hidden.
    if (document.visibilityState !== 'visible') return;
    const taken = await navigator.wakeLock.request('screen');
    if (signal.aborted) await taken.release();
    else lock = taken;
  }
  // Refused for example when the battery is low.
  const tryHold = () => void hold().catch(console.warn);
  document.addEventListener('visibilitychange', tryHold, { signal });
  tryHold();
  return () => {
    stopping.abort();
    lock?.release().catch(console.warn);
  };
}
