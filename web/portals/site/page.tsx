// The landing page, rendered to static HTML by the build; only the contact form runs in the browser.
import { slots } from '#company';
import { About, Statistics } from './sections/about.tsx';
import { CallBar, Footer, TopBar } from './sections/frame.tsx';
import { GetInTouch } from './sections/get-in-touch.tsx';
import { Hero } from './sections/hero.tsx';
import { Services } from './sections/services.tsx';
import { CareersSection, Credentials, References, Sectors } from './sections/slots.tsx';
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
        <div>
          <Hero />
          <Sectors sectors={slots.sectors} />
          <About />
          <Services />
          <Statistics />
          <Structure />
          <Credentials licences={slots.licences} insurance={slots.insurance} />
          <Team photographs={slots.photographs} />
          <References references={slots.references} />
          <CareersSection careers={slots.careers} />
          <CallBar whatsapp={slots.whatsapp} />
        </div>
        <GetInTouch />
      </main>
      <Footer />
    </>
  );
}
