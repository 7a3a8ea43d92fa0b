export interface Preferences {
  resolution?: 'merge-duplicates' | 'ignore-duplicates';
  missing?: 'default' | 'null';
  return?: 'minimal' | 'headers-only' | 'representation';
  count?: 'exact' | 'planned' | 'estimated';
  tx?: 'commit' | 'rollback';
  handling?: 'strict' | 'lenient';
  timezone?: string;
  maxAffected?: number;
  /** Unknown preferences, as sent. */
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
 * PostgreSQL validates offsets and abbreviations, but versions before 18.6 do not parse longer ones safely
 * (CVE-2026-14669), so those must be known zones.
 */
const MAX_OFFSET_LENGTH = 24;

/** JavaScript knows PostgreSQL's zone names; reading the database's list would cost more than the request. */
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
    if (value === '' || (value.length > MAX_OFFSET_LENGTH && !isZone(value))) return false;
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
