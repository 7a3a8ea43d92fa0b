import { company } from '#company';
import { Rosette } from '#web/assets/guilloche.tsx';

export function Statistics() {
  return (
    <section
      aria-label="The company in figures"
      className="site-night relative isolate overflow-hidden bg-navy-900 text-white"
    >
      <Rosette
        petals={24}
        line={0.16}
        className="absolute top-1/2 left-1/2 -z-10 w-[64rem] -translate-1/2 text-brass-400 opacity-40 print:hidden"
      />
      <dl className="site-width grid grid-cols-2 gap-y-10 py-14 lg:grid-cols-4 md:py-20">
        {company.statistics.map(({ value, label }) => (
          <div
            key={label}
            className="flex flex-col-reverse justify-end gap-2 border-l border-brass-400/50 pl-5 sm:pl-7"
          >
            <dt className="text-white/80">{label}</dt>
            <dd className="text-figure font-light tracking-tight text-brass-300">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
