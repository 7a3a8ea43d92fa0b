import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

type ScreenHeadingProps = {
  title: ReactNode;
  /** Beside the title, on its line. */
  aside?: ReactNode;
  subtitle?: ReactNode;
  children?: ReactNode;
};

export function ScreenHeading({ title, aside, subtitle, children }: ScreenHeadingProps) {
  return (
    <div className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-4 compact:mb-4">
      {/* A long subtitle takes two lines beside the buttons, not a row of its own above them. */}
      <div className="flex-1 basis-72">
        <h2
          className={cn('font-display text-3xl leading-tight compact:text-2xl', aside && 'inline')}
        >
          {title}
        </h2>
        {aside}
        {subtitle && <p className="mt-1 text-muted compact:mt-0.5 compact:text-sm">{subtitle}</p>}
      </div>
      {children && (
        <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:[&>*]:flex-1 print:hidden">
          {children}
        </div>
      )}
    </div>
  );
}
