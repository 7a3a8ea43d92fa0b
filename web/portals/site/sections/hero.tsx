import { company } from '#company';
import { Drawing } from '../art/drawing.tsx';
import night from '../art/monrovia-night.svg?raw';
import sky from '../art/monrovia-sky.svg?raw';

const button =
  'inline-flex min-h-12 items-center justify-center rounded-sm px-4 sm:px-7 font-semibold transition-colors';

const VIEW = { preserveAspectRatio: 'xMaxYMax slice', className: 'absolute inset-0 size-full' };

/**
 * Monrovia at night from a post above the water. Its right side stays in view; on small screens it fills the lower part only.
 * The beam points to the right, where no text is (site.css).
 */
function MonroviaNight() {
  return (
    <div className="site-view absolute inset-x-0 bottom-0 h-[24rem] overflow-hidden sm:h-[32rem] lg:h-full print:hidden">
      <Drawing svg={sky} {...VIEW} />
      <div className="site-beam" />
      <Drawing svg={night} {...VIEW} />
    </div>
  );
}

/** The two actions have the role of buttons but are anchors, so that they work without JavaScript; main.ts adds the rest. */
export function Hero() {
  return (
    <section
      aria-labelledby="headline"
      className="site-night relative isolate flex flex-col overflow-hidden bg-[#060d19] text-white lg:min-h-[min(54rem,calc(100svh-4rem))] print:min-h-0"
    >
      <MonroviaNight />
      <div className="site-width relative pt-12 pb-[22rem] sm:pt-20 sm:pb-[29rem] lg:pt-[clamp(3rem,9svh,7rem)] lg:pb-48 print:py-8">
        <h1 id="headline" className="max-w-[9.5em] font-display text-display">
          {company.headline}
        </h1>
        <p className="mt-6 max-w-[34rem] text-lead text-white/85">
          We guard embassies, companies, public institutions and homes: trained people on your post,
          and command that answers, at every hour of the day and night.
        </p>
        <div className="mt-9 flex flex-wrap gap-3 sm:gap-4 print:hidden">
          {/* biome-ignore lint/a11y/useSemanticElements: a button element would do nothing without JavaScript */}
          <a
            href="#contact-form"
            role="button"
            data-action="request-protection"
            className={`${button} bg-brass-400 text-navy-950 hover:bg-brass-300`}
          >
            Request Protection
          </a>
          {/* biome-ignore lint/a11y/useSemanticElements: a button element would do nothing without JavaScript */}
          <a
            href="#services"
            role="button"
            data-action="our-services"
            className={`${button} border border-white/40 bg-navy-950/30 text-white hover:border-white hover:bg-navy-950/60`}
          >
            Our Services
          </a>
        </div>
      </div>
    </section>
  );
}
