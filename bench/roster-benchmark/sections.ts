// The file format of the employee shift scheduling instances of Curtois and Qu (2014), "Computational results on new
// staff scheduling benchmark instances", http://www.schedulingbenchmarks.org/nrp/: comma-separated lines in sections.

/** What a file of the benchmark says wrong, with the line that says it. */
export class InstanceError extends Error {}

export interface Line {
  number: number;
  fields: string[];
}

const SECTIONS = [
  'HORIZON',
  'SHIFTS',
  'STAFF',
  'DAYS_OFF',
  'SHIFT_ON_REQUESTS',
  'SHIFT_OFF_REQUESTS',
  'COVER',
] as const;
export type SectionName = (typeof SECTIONS)[number];
const REQUIRED: readonly SectionName[] = ['HORIZON', 'SHIFTS', 'STAFF'];

export function fail(line: Line, what: string): never {
  throw new InstanceError(`Line ${line.number}: ${what}.`);
}

/** Splits a file into the lines of each section, without comments and empty lines. */
export function readSections(text: string): Map<SectionName, Line[]> {
  const sections = new Map<SectionName, Line[]>();
  let current: Line[] | undefined;
  text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .forEach((raw, index) => {
      const trimmed = raw.trim();
      if (trimmed === '' || trimmed.startsWith('#')) return;
      const line = { number: index + 1, fields: trimmed.split(',').map((field) => field.trim()) };
      if (!trimmed.startsWith('SECTION_')) {
        if (current === undefined) fail(line, 'expected a section');
        current.push(line);
        return;
      }
      const name = SECTIONS.find((known) => trimmed === `SECTION_${known}`);
      if (name === undefined) fail(line, `unknown section "${trimmed}"`);
      if (sections.has(name)) fail(line, `a second section "${trimmed}"`);
      current = [];
      sections.set(name, current);
    });
  const missing = REQUIRED.find((name) => (sections.get(name) ?? []).length === 0);
  if (missing !== undefined) throw new InstanceError(`SECTION_${missing} is missing or empty.`);
  return sections;
}

/** The fields of a line, of which there must be as many as named; empty ones at the end are left out. */
export function fieldsOf<Names extends string>(
  line: Line,
  names: readonly Names[],
): Record<Names, string> {
  const fields = [...line.fields];
  while (fields.length > names.length && fields.at(-1) === '') fields.pop();
  if (fields.length !== names.length)
    fail(line, `expected ${names.length} fields (${names.join(', ')}), found ${fields.length}`);
  const entries = names.map((name, index) => [name, fields[index]]);
  return Object.fromEntries(entries);
}

/** A whole number from 0 to `most`. */
export function wholeNumber(line: Line, text: string, name: string, most = 1_000_000): number {
  if (!/^\d{1,9}$/.test(text)) fail(line, `${name} is "${text}", not a whole number`);
  const value = Number(text);
  if (value > most) fail(line, `${name} is ${value}, more than ${most}`);
  return value;
}

/** The position of a name among those declared. */
export function find(line: Line, names: Map<string, number>, id: string, what: string): number {
  return names.get(id) ?? fail(line, `unknown ${what} "${id}"`);
}

/** Numbers the names of a section in order. */
export function numbered(lines: readonly Line[], first: number): Map<string, number> {
  const names = new Map<string, number>();
  lines.forEach((line, index) => {
    const [id = ''] = line.fields;
    if (id === '') fail(line, 'a name is empty');
    if (names.has(id)) fail(line, `"${id}" is declared twice`);
    names.set(id, index + first);
  });
  return names;
}
