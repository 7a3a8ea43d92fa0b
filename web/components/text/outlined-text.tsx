/** Plain text in which lines that start with "# " are headings and with "- " points of a list. */
import { parseBlocks } from './text-blocks.ts';

export function OutlinedText({ text }: { text: string }) {
  return (
    <div className="grid gap-3 break-words">
      {parseBlocks(text).map((block) =>
        block.kind === 'heading' ? (
          <h4 key={block.line} className="mt-2 font-display text-lg leading-snug first:mt-0">
            {block.texts[0]}
          </h4>
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
