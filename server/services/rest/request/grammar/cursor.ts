// Reads a text from left to right and remembers the furthest failure, to say it as PostgREST does:
// `"failed to parse filter (x.1)" (line 1, column 1)`, `unexpected "x" expecting …`.
import { unparsable } from '../../errors/catalogue.ts';
import type { RestError } from '../../errors/rest-error.ts';

export class Cursor {
  pos = 0;
  #furthest = -1;
  #unexpected = '';
  #expected: string[] = [];

  constructor(readonly text: string) {}

  get atEnd(): boolean {
    return this.pos >= this.text.length;
  }

  peek(): string | undefined {
    return this.text[this.pos];
  }

  /** Notes that one of `expected` would have been right here. */
  miss(...expected: string[]): undefined {
    this.missAs(this.#found("'"), expected);
    // Where the text might have ended, PostgREST shows the letter this way, whatever else was missing.
    if (this.pos === this.#furthest && expected.includes('end of input')) {
      this.#unexpected = this.#found("'");
    }
  }

  /** As `miss`; what was found is shown between double quotes, as the reading of a whole word does. */
  missWord(...expected: string[]): undefined {
    this.missAs(this.#found('"'), expected);
  }

  /** As `missWord`, and what was missing elsewhere is forgotten. */
  onlyMissWord(expected: string): undefined {
    this.#furthest = -1;
    this.missWord(expected);
  }

  missAs(unexpected: string, expected: string[], at = this.pos): undefined {
    if (at < this.#furthest) return;
    if (at > this.#furthest) {
      this.#furthest = at;
      this.#unexpected = unexpected;
      this.#expected = [];
    }
    this.#expected.push(...expected);
  }

  /** @returns whether the dot between the parts of a condition or an order stood here; it is taken then */
  delimiter(): boolean {
    return this.char('.', 'delimiter (.)');
  }

  /** @returns whether the character stood here; it is taken then */
  char(wanted: string, label = `"${wanted}"`): boolean {
    if (this.text[this.pos] === wanted) {
      this.pos += 1;
      return true;
    }
    this.missWord(label);
    return false;
  }

  /** @returns whether the word stood here; it is taken then */
  word(wanted: string, label = `"${wanted}"`): boolean {
    if (this.text.startsWith(wanted, this.pos)) {
      this.pos += wanted.length;
      return true;
    }
    let same = 0;
    while (same < wanted.length && this.text[this.pos + same] === wanted[same]) same += 1;
    const found = this.text[this.pos + same];
    this.missAs(found === undefined ? 'end of input' : JSON.stringify(found), [label]);
    return false;
  }

  /** Takes characters while they match; the pattern must be sticky (`y`). */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.pos;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return undefined;
    this.pos += found.length;
    return found;
  }

  spaces(): void {
    while (this.text[this.pos] === ' ' || this.text[this.pos] === '\t') this.pos += 1;
  }

  /** Tries one way of reading; puts the cursor back when it fails. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const start = this.pos;
    const result = read();
    if (result === undefined) this.pos = start;
    return result;
  }

  /** As `attempt`; a failure is forgotten, as that of a way which the next one makes up for. */
  attemptQuietly<T>(read: () => T | undefined): T | undefined {
    const furthest = this.#furthest;
    const unexpected = this.#unexpected;
    const expected = [...this.#expected];
    const result = this.attempt(read);
    if (result === undefined) {
      this.#furthest = furthest;
      this.#unexpected = unexpected;
      this.#expected = expected;
    }
    return result;
  }

  /** @param what for example `filter`; @param shown the text as the caller sent it */
  error(what: string, shown: string): RestError {
    const expected = [...new Set(this.#expected)];
    const last = expected.pop();
    const list = expected.length === 0 ? last : `${expected.join(', ')} or ${last}`;
    return unparsable(
      `"failed to parse ${what} (${shown})" (line 1, column ${this.#furthest + 1})`,
      `unexpected ${this.#unexpected}${last === undefined ? '' : ` expecting ${list}`}`,
    );
  }

  #found(quote: string): string {
    const found = this.text[this.pos];
    return found === undefined ? 'end of input' : `${quote}${found}${quote}`;
  }
}

/** Runs a reader over a whole text. @throws RestError PGRST100 when it fails or leaves something unread */
export function readAll<T>(
  text: string,
  what: string,
  read: (cursor: Cursor) => T | undefined,
  shown = text,
): T {
  const cursor = new Cursor(text);
  const result = read(cursor);
  if (result === undefined) throw cursor.error(what, shown);
  if (!cursor.atEnd) {
    cursor.miss('end of input');
    throw cursor.error(what, shown);
  }
  return result;
}
