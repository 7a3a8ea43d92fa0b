/** @returns for example "3 min" or "1 h 5 min"; a device whose clock is behind shows 0 min */
export function runningFor(raisedAt: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(raisedAt)) / 60_000));
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}
