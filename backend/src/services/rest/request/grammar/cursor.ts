// A parser's position in a text. Records the furthest failure to report it as PostgREST (Parsec) does:
// `"failed to parse filter (x.1)" (line 1, column 1)`, `unexpected "x" expecting …`.
import { type RestError, unparsable } from '../../errors/catalogue.ts';

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

  /** Records that one of `expected` was expected here. */
  miss(...expected: string[]): undefined {
    this.missAs(this.#found("'"), expected);
    // Where the text could have ended, PostgREST quotes the character this way, whatever else was expected.
    if (this.pos === this.#furthest && expected.includes('end of input')) {
      this.#unexpected = this.#found("'");
    }
  }

  /** As `miss`, with the found character in double quotes, as for a whole word. */
  missWord(...expected: string[]): undefined {
    this.missAs(this.#found('"'), expected);
  }

  /** As `missWord`, discarding failures recorded before. */
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

  /** Consumes the dot between the parts of a condition or an order. @returns whether it was there */
  delimiter(): boolean {
    return this.char('.', 'delimiter (.)');
  }

  /** Consumes a character. @returns whether it was there */
  char(expected: string, label = `"${expected}"`): boolean {
    if (this.text[this.pos] === expected) {
      this.pos += 1;
      return true;
    }
    this.missWord(label);
    return false;
  }

  /** Consumes a word. @returns whether it was there */
  word(expected: string, label = `"${expected}"`): boolean {
    if (this.text.startsWith(expected, this.pos)) {
      this.pos += expected.length;
      return true;
    }
    let same = 0;
    while (same < expected.length && this.text[this.pos + same] === expected[same]) same += 1;
    const found = this.text[this.pos + same];
    this.missAs(found === undefined ? 'end of input' : JSON.stringify(found), [label]);
    return false;
  }

  /** Consumes a match. @param pattern must be sticky (`y`) */
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

  /** Parses one or more items with a separator between them. */
  list<T>(read: () => T | undefined, separator = ','): T[] | undefined {
    const items: T[] = [];
    do {
      const item = read();
      if (item === undefined) return undefined;
      items.push(item);
    } while (this.char(separator));
    return items;
  }

  /** Tries a parser; restores the position when it fails. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const start = this.pos;
    const result = read();
    if (result === undefined) this.pos = start;
    return result;
  }

  /** As `attempt`, without recording a failure. */
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

  /**
   * @param what for example `filter`
   * @param shown the text as the caller sent it
   */
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

/** Parses a whole text. @throws RestError PGRST100 when the parser fails or does not reach the end */
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
