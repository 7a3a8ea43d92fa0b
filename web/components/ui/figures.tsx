import { cn } from '#web/lib/cn.ts';

type FiguresProps = {
  /** In their order, already formatted. */
  figures: readonly (readonly [name: string, figure: string])[];
  /** The columns on a desk; two on phones and three between. */
  className: string;
};

/** The sums at the head of a page, to compare at a glance. */
export function Figures({ figures, className }: FiguresProps) {
  return (
    <dl className={cn('grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3', className)}>
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="text-lg font-semibold tabular-nums">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
