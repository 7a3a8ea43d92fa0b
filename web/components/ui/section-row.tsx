// Rows in a section of a page: of a person, a site or a client.
import type { ReactNode } from 'react';
import { SecondLine } from './second-line.tsx';

export const ITEM = 'flex min-h-11 items-start gap-3 px-4 py-3 sm:px-5';
export const ITEM_LINK = `${ITEM} hover:bg-sunken focus-visible:-outline-offset-2`;

/** In the heading of a section, to the screen with all of it. */
export const MORE_LINK =
  '-my-2.5 inline-flex min-h-11 min-w-11 items-center text-sm font-semibold text-accent underline decoration-transparent underline-offset-4 hover:decoration-accent print:hidden';

type SectionRowProps = { title: ReactNode; detail?: ReactNode; badge?: ReactNode };

/** Within an element with the styles above. */
export function SectionRow({ title, detail, badge }: SectionRowProps) {
  return (
    <>
      <span className="min-w-0 flex-1">
        <span className="block font-semibold [overflow-wrap:anywhere]">{title}</span>
        <SecondLine wraps className="[overflow-wrap:anywhere]">
          {detail}
        </SecondLine>
      </span>
      {badge}
    </>
  );
}
