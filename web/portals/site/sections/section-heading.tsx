import type { ReactNode } from 'react';

type Props = { id: string; title: string; children?: ReactNode };

export function SectionHeading({ id, title, children }: Props) {
  return (
    <div className="grid gap-x-10 gap-y-4 md:grid-cols-12 md:items-end">
      <h2
        id={id}
        className="font-display text-title before:mb-5 before:block before:h-0.5 before:w-14 before:bg-accent-fill md:col-span-7 md:only:col-span-12"
      >
        {title}
      </h2>
      {children && (
        <p className="max-w-[34rem] text-muted md:col-span-5 md:justify-self-end">{children}</p>
      )}
    </div>
  );
}
