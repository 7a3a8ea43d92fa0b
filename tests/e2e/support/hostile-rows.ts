// Rows that no table expects: long names, words without a space, large amounts.
const NAME =
  'Nyemah Comfort Elizabeth Gbessagee-Tarpeh Community Development Cooperative of Upper Bong County Ltd';
const WORD = 'Freeport'.repeat(32).slice(0, 250);
const AMOUNT = 12_345_678.9;

/**
 * Replaces names, texts and amounts in what the backend returns. Runs in the page, as an init script: an interception would switch off the
 * HTTP cache and cost a round trip for each request.
 */
export function sendHostileRows(texts: { name: string; word: string; amount: number }) {
  const TEXT =
    /(^|_)(name|title|notes?|description|reason|address|subject|message|summary|reference|location|position|bank|client|guard|site|post|person|recipient|label|email|text)$/;
  const AMOUNT =
    /(^|_)(amount|balance|gross|net|deductions|debit|credit|revenue|expenses|profit|rate|paid|open|due|cost|margin|pay|price|tax|sum|income|allowances|fee|billed|value|d\d+|not_due|over_90|receivable)$/;
  const change = (value: unknown, key: string, row: number): unknown => {
    if (Array.isArray(value)) return value.map((each, index) => change(each, key, index));
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(
        Object.entries(value).map(([each, inner]) => [each, change(inner, each, row)]),
      );
    if (typeof value === 'string' && TEXT.test(key) && !/^[0-9a-f-]{36}$/.test(value))
      return [texts.name, texts.word][row % 3] ?? value;
    if (!AMOUNT.test(key)) return value;
    if (typeof value === 'number') return texts.amount;
    // Exact amounts come as text.
    return /^-?\d+\.\d{2}$/.test(String(value)) ? texts.amount.toFixed(2) : value;
  };
  const { fetch } = window;
  window.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    const few = url.replace(/limit=(60|24|20)\b/, 'limit=4');
    const response = await fetch(typeof input === 'string' ? few : input, init);
    // Not of the session itself.
    const isRows = /\/rest\/v1\/(?!user_roles|profiles\?.*id=eq|rpc\/my_|settings)/.test(url);
    if (!isRows || !response.ok || !/json/.test(response.headers.get('content-type') ?? ''))
      return response;
    const { status, headers } = response;
    const rows: unknown = await response.json();
    return new Response(JSON.stringify(change(rows, '', 0)), { status, headers });
  };
}

export const HOSTILE = { name: NAME, word: WORD, amount: AMOUNT };

/** @returns what lies under something else, or outside its box, in the tables and cards of the page */
export async function coveredTexts(): Promise<string[]> {
  // A new width is measured in the next frame, and rendered for after it.
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  type Box = { left: number; right: number; top: number; bottom: number };
  const faults: string[] = [];
  /** Boxes of lines are higher than their letters. */
  const LINES_MAY_TOUCH = 6;
  const main = document.querySelector('main') ?? document.body;
  const meet = (one: Box, other: Box, least: number) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > least &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > least;
  /** The visible part of each line of text. */
  function textsOf(cell: Element): { node: Node; text: string; box: Box }[] {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const found: { node: Node; text: string; box: Box }[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim() ?? '';
      if (!text || !parent?.checkVisibility({ visibilityProperty: true })) continue;
      if (parent.closest('.sr-only')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        const box = { left: rect.left, right: rect.right, top: rect.top, bottom: rect.bottom };
        for (let each: Element | null = parent; each && each !== cell; each = each.parentElement) {
          const { overflowX, overflowY } = getComputedStyle(each);
          if (overflowX === 'visible' && overflowY === 'visible') continue;
          const clip = each.getBoundingClientRect();
          if (
            /[\d,]{6}\.\d\d/.test(text) &&
            (box.right > clip.right + 1 || box.left < clip.left - 1)
          )
            faults.push(`cut figure: ${text}`);
          box.left = Math.max(box.left, clip.left);
          box.right = Math.min(box.right, clip.right);
          box.top = Math.max(box.top, clip.top);
          box.bottom = Math.min(box.bottom, clip.bottom);
        }
        if (box.right - box.left > 1 && box.bottom - box.top > 1) found.push({ node, text, box });
      }
    }
    return found;
  }
  const short = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
  const isOutside = (box: Box, of: Box) => box.left < of.left - 1 || box.right > of.right + 1;
  for (const table of main.querySelectorAll('table')) {
    if (!table.checkVisibility() || table.closest('.sr-only')) continue;
    const name = table.getAttribute('aria-label') ?? table.caption?.textContent ?? 'table';
    const around = table.parentElement?.getBoundingClientRect();
    const own = table.getBoundingClientRect();
    // Only a phone or a tablet may have a region that scrolls sideways.
    const isRegion = innerWidth < 1024 && table.closest('section[tabindex]') !== null;
    if (around && own.right > around.right + 1 && !isRegion)
      faults.push(`${name}: wider than its place by ${Math.round(own.right - around.right)} px`);
    for (const row of table.rows) {
      const cells = [...row.cells].map((cell) => ({ cell, box: cell.getBoundingClientRect() }));
      for (const { cell, box } of cells) {
        for (const { text, box: line } of textsOf(cell)) {
          if (isOutside(line, box)) faults.push(`${name}: outside its cell: ${short(text)}`);
          if (cells.some((other) => other.cell !== cell && meet(line, other.box, 1)))
            faults.push(`${name}: under another cell: ${short(text)}`);
        }
      }
    }
  }
  for (const card of main.querySelectorAll('ul[aria-label] > li')) {
    if (!card.checkVisibility()) continue;
    const name = card.parentElement?.getAttribute('aria-label') ?? 'cards';
    const box = card.getBoundingClientRect();
    const lines = textsOf(card);
    for (const [index, { node, text, box: line }] of lines.entries()) {
      if (isOutside(line, box)) faults.push(`${name}: outside its card: ${short(text)}`);
      const covered = lines
        .slice(index + 1)
        .find((other) => other.node !== node && meet(line, other.box, LINES_MAY_TOUCH));
      if (covered) faults.push(`${name}: ${short(text)} over ${short(covered.text)}`);
    }
  }
  return [...new Set(faults)];
}
