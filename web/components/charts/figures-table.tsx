// The figures of a chart as a table, folded away.
import { ScrollRegion } from '#web/components/ui/panel.tsx';
import type { BarsProps } from './figures.ts';

export function FiguresTable({ caption, series, groups, format }: Omit<BarsProps, 'layout'>) {
  return (
    <details className="text-sm print:open">
      <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold text-accent">
        Figures as a table
      </summary>
      <ScrollRegion label={caption}>
        <table className="w-full text-left tabular-nums">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="border-b border-line-strong">
              <td className="py-2 pr-4" />
              {series.map(({ name }) => (
                <th key={name} scope="col" className="py-2 pl-4 text-right font-semibold">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map(({ id, name, values }) => (
              <tr key={id} className="border-b border-line">
                <th scope="row" className="py-2 pr-4 font-normal whitespace-nowrap">
                  {name}
                </th>
                {series.map((each, index) => {
                  const value = values[index];
                  return (
                    <td key={each.name} className="py-2 pl-4 text-right whitespace-nowrap">
                      {value === null || value === undefined ? '-' : format(value)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  );
}
