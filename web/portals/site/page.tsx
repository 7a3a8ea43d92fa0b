// The landing page, rendered to static HTML by the build; only the contact form runs in the browser.
import { About, Statistics } from './sections/about.tsx';
import { Footer, TopBar } from './sections/frame.tsx';
import { GetInTouch } from './sections/get-in-touch.tsx';
import { Hero } from './sections/hero.tsx';
import { Services } from './sections/services.tsx';
import { Structure } from './sections/structure.tsx';
import { Team } from './sections/team.tsx';

export function SitePage() {
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-30 focus:bg-raised focus:px-4 focus:py-3 focus:text-ink"
      >
        Skip to content
      </a>
      <TopBar />
      <main id="main">
        <Hero />
        <About />
        <Services />
        <Statistics />
        <Structure />
        <Team />
        <GetInTouch />
      </main>
      <Footer />
    </>
  );
}
