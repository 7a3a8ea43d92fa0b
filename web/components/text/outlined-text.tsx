/** Plain text in which lines that start with "# " are headings and with "- " points of a list. */
import { parseBlocks } from './text-blocks.ts';

type OutlinedTextProps = {
  text: string;
  /** Of its headings: one below the heading above it. */
  level?: 2 | 3 | 4;
};

export function OutlinedText({ text, level = 4 }: OutlinedTextProps) {
  const Heading = `h${level}` as const;
  return (
    <div className="grid gap-3 break-words">
      {parseBlocks(text).map((block) =>
        block.kind === 'heading' ? (
          <Heading key={block.line} className="mt-2 font-display text-lg leading-snug first:mt-0">
            {block.texts[0]}
          </Heading>
        ) : block.kind === 'list' ? (
          <ul key={block.line} className="grid list-disc gap-1.5 pl-5 marker:text-accent">
            {block.texts.map((point, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes while it is shown
              <li key={index}>{point}</li>
            ))}
          </ul>
        ) : (
          <p key={block.line} className="whitespace-pre-line">
            {block.texts.join('\n')}
          </p>
        ),
      )}
    </div>
  );
}
