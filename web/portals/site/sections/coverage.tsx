import type { Region } from '#company';
import { CoverageMap, toneOf } from '../art/coverage-map.tsx';

/** Regions covered, with the map; nothing while no region is named. */
export function Coverage({ regions }: { regions: Region[] }) {
  if (regions.length === 0) return null;
  return (
    <div className="mt-16 grid items-center gap-x-14 gap-y-8 border-t border-line pt-14 md:grid-cols-12">
      <CoverageMap
        regions={regions}
        className="mx-auto w-full max-w-[26rem] md:order-2 md:col-span-6 lg:col-span-5 lg:col-start-8"
      />
      <div className="md:col-span-6">
        <h3 className="text-heading font-semibold">Regions covered</h3>
        <p className="mt-1 mb-6 text-muted">Each region answers to its own Regional Supervisor.</p>
        <ol className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
          {regions.map(({ name, counties }, number) => (
            <li key={name} className="flex gap-3.5">
              <span
                aria-hidden="true"
                className={`grid size-8 shrink-0 place-items-center rounded-full bg-navy-950 text-sm font-semibold outline-3 -outline-offset-3 ${toneOf(number)}`}
              >
                <span className="text-white">{number + 1}</span>
              </span>
              <span>
                <span className="block font-semibold">{name}</span>
                <span className="text-sm text-muted">{counties.join(', ')}</span>
              </span>
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}
