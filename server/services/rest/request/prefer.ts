// The Prefer header: what the caller asks for, what of it is unknown, and what was honoured (PROTOCOL.md 2.3).

export interface Preferences {
  resolution?: 'merge-duplicates' | 'ignore-duplicates';
  missing?: 'default' | 'null';
  return?: 'minimal' | 'headers-only' | 'representation';
  count?: 'exact' | 'planned' | 'estimated';
  tx?: 'commit' | 'rollback';
  handling?: 'strict' | 'lenient';
  timezone?: string;
  maxAffected?: number;
  /** What was not understood, in the caller's words. */
  invalid: string[];
}

const CHOICES = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  return: ['minimal', 'headers-only', 'representation'],
  count: ['exact', 'planned', 'estimated'],
  tx: ['commit', 'rollback'],
  handling: ['strict', 'lenient'],
} as const;
type Choice = keyof typeof CHOICES;

const isChoice = (name: string): name is Choice => Object.hasOwn(CHOICES, name);

/**
 * Offsets and abbreviations are passed on for PostgreSQL to judge. Versions before 18.6 do not read longer ones safely
 * (CVE-2026-14669), so those must be zones.
 */
const LONGEST_OFFSET = 24;

/** JavaScript knows PostgreSQL's zone names; asking the database for its list would cost more than the request. */
function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function readOne(preferences: Preferences, text: string): boolean {
  const at = text.indexOf('=');
  const name = text.slice(0, at < 0 ? undefined : at).trim();
  const value = at < 0 ? '' : text.slice(at + 1).trim();
  if (isChoice(name)) {
    const known: readonly string[] = CHOICES[name];
    if (!known.includes(value)) return false;
    Object.assign(preferences, { [name]: preferences[name] ?? value });
    return true;
  }
  if (name === 'timezone') {
    if (value === '' || (value.length > LONGEST_OFFSET && !isZone(value))) return false;
    preferences.timezone ??= value;
    return true;
  }
  if (name === 'max-affected') {
    if (!/^\d{1,15}$/.test(value)) return false;
    preferences.maxAffected ??= Number(value);
    return true;
  }
  return false;
}

export function readPreferences(header: string | string[] | undefined): Preferences {
  const preferences: Preferences = { invalid: [] };
  if (header === undefined) return preferences;
  const text = Array.isArray(header) ? header.join(',') : header;
  for (const part of text.split(',')) {
    const one = part.trim();
    if (one !== '' && !readOne(preferences, one)) preferences.invalid.push(one);
  }
  return preferences;
}
