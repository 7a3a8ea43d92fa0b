import type { ReactNode } from 'react';

type ScreenHeadingProps = { title: string; subtitle?: string; children?: ReactNode };

export function ScreenHeading({ title, subtitle, children }: ScreenHeadingProps) {
  return (
    <div className="mb-7 flex flex-wrap items-end compact:mb-4 justify-between gap-x-6 gap-y-4">
      <div>
        <h2 className="font-display text-3xl leading-tight sm:text-4xl compact:text-2xl">
          {title}
        </h2>
        {subtitle && <p className="mt-2 text-muted compact:mt-0.5 compact:text-sm">{subtitle}</p>}
      </div>
      {children && (
        <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:[&>*]:flex-1 print:hidden">
          {children}
        </div>
      )}
    </div>
  );
}
