/** @returns whether it is a day of the calendar, yyyy-MM-dd; 2026-02-30 is none */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const parsed = new Date(text);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
}
