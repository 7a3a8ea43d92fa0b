// An independent judge of rosters: reads the instance's text and the solution by itself, in the words of the format, and
// shares no code with the search or its parser.

interface Verdict {
  /** What is illegal, in words; an empty list is a feasible roster. */
  violations: string[];
  cost: number;
}

/** A solution: rows in staff order, each with a shift id or null for every day. */
export type Solution = readonly (readonly (string | null)[])[];

const records = (text: string, section: string): string[][] => {
  const [, after = ''] = text.split(new RegExp(`^SECTION_${section}\\s*$`, 'm'));
  const [body = ''] = after.split(/^SECTION_/m);
  return body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').map((field) => field.trim()));
};

/** Runs of equal values: `[true, 3]` is three days at work. */
function runsOf(
  isWorked: readonly boolean[],
): { isWorked: boolean; first: number; length: number }[] {
  const runs: { isWorked: boolean; first: number; length: number }[] = [];
  isWorked.forEach((worked, day) => {
    const last = runs.at(-1);
    if (last?.isWorked === worked) last.length++;
    else runs.push({ isWorked: worked, first: day, length: 1 });
  });
  return runs;
}

export function checkRoster(text: string, solution: Solution): Verdict {
  const days = Number(records(text, 'HORIZON')[0]?.[0]);
  const shifts = new Map(
    records(text, 'SHIFTS').map(([id = '', minutes, next = '']) => [
      id,
      { minutes: Number(minutes), notNext: next.split('|') },
    ]),
  );
  const staff = records(text, 'STAFF');
  const violations: string[] = [];
  const refuse = (who: string, what: string) => violations.push(`${who}: ${what}`);
  if (solution.length !== staff.length) refuse('roster', `${solution.length} rows`);

  const rowOf = new Map(staff.map(([id = ''], index) => [id, solution[index] ?? []]));
  for (const [id = '', maxima = '', ...numbers] of staff) {
    const [maxMinutes = 0, minMinutes = 0, maxRun = 0, minRun = 0, minOff = 0, maxWeekends = 0] =
      numbers.map(Number);
    const row = rowOf.get(id) ?? [];
    if (row.length !== days) refuse(id, `${row.length} days`);
    for (const shift of row)
      if (shift !== null && !shifts.has(shift)) refuse(id, `no shift ${shift}`);
    const limits = new Map(
      maxima.split('|').map((part) => [part.split('=')[0], part.split('=')[1]]),
    );
    for (const shift of shifts.keys()) {
      const count = row.filter((worked) => worked === shift).length;
      if (count > Number(limits.get(shift) ?? 0)) refuse(id, `${count} times ${shift}`);
    }
    const minutes = row.reduce((sum, shift) => sum + (shifts.get(shift ?? '')?.minutes ?? 0), 0);
    if (minutes > maxMinutes || minutes < minMinutes) refuse(id, `${minutes} minutes`);
    row.forEach((shift, day) => {
      const next = row[day + 1];
      if (shift && next && shifts.get(shift)?.notNext.includes(next))
        refuse(id, `${next} after ${shift} on day ${day}`);
    });
    for (const { isWorked, first, length } of runsOf(row.map((shift) => shift !== null))) {
      const isAtBorder = first === 0 || first + length === days;
      if (isWorked && length > maxRun) refuse(id, `${length} days in a row from day ${first}`);
      if (!isAtBorder && length < (isWorked ? minRun : minOff))
        refuse(id, `only ${length} days ${isWorked ? 'on' : 'off'} from day ${first}`);
    }
    const isAtWork = (day: number) => row[day] !== null && row[day] !== undefined;
    let weekends = 0;
    for (let saturday = 5; saturday < days; saturday += 7)
      if (isAtWork(saturday) || isAtWork(saturday + 1)) weekends++;
    if (weekends > maxWeekends) refuse(id, `${weekends} weekends`);
  }
  for (const [id = '', ...off] of records(text, 'DAYS_OFF'))
    for (const day of off.filter((field) => field !== ''))
      if (rowOf.get(id)?.[Number(day)] !== null) refuse(id, `works on day off ${day}`);

  let cost = 0;
  for (const [id = '', day, shift, weight] of records(text, 'SHIFT_ON_REQUESTS'))
    if (rowOf.get(id)?.[Number(day)] !== shift) cost += Number(weight);
  for (const [id = '', day, shift, weight] of records(text, 'SHIFT_OFF_REQUESTS'))
    if (rowOf.get(id)?.[Number(day)] === shift) cost += Number(weight);
  for (const [day, shift, required, under, over] of records(text, 'COVER')) {
    const missing = Number(required) - solution.filter((row) => row[Number(day)] === shift).length;
    cost += missing > 0 ? missing * Number(under) : -missing * Number(over);
  }
  return { violations, cost };
}
