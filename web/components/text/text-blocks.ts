type Block = {
  kind: 'heading' | 'list' | 'paragraph';
  texts: string[];
  /** Number of its first line. */
  line: number;
};

const MARKS = [
  ['heading', /^#+\s+/],
  ['list', /^[-*•]\s+/],
] as const;

/** @returns the headings, lists and paragraphs of a plain text; an empty line ends a paragraph */
export function parseBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [line, whole] of text.split(/\r?\n/).entries()) {
    const trimmed = whole.trim();
    if (trimmed === '') {
      open = undefined;
      continue;
    }
    const [kind, mark] = MARKS.find(([, start]) => start.test(trimmed)) ?? ['paragraph', /^/];
    const shown = trimmed.replace(mark, '');
    if (open?.kind === kind && kind !== 'heading') open.texts.push(shown);
    else {
      open = { kind, texts: [shown], line };
      blocks.push(open);
    }
  }
  return blocks;
}
