// The response to a form posted without JavaScript: thanks, or the form again with its values and errors.
import { company } from '#company';
import type { ContactOutcome } from '#shared/contact-message.ts';
import { CONTACT_TEXTS } from '#shared/contact-texts.ts';
import { ContactForm } from '#web/features/clients/contact/contact-form.tsx';
import { dialled, Footer, TopBar } from './sections/frame.tsx';

const link = 'inline-flex min-h-11 items-center text-accent underline underline-offset-4';

function Hotline() {
  return (
    <p className="mt-6 text-muted">
      In an emergency call{' '}
      <a href={`tel:${dialled}`} className={link}>
        {company.hotline}
      </a>
      .
    </p>
  );
}

export function ContactAnswer({ outcome }: { outcome: ContactOutcome }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <TopBar />
      <main className="site-width w-full max-w-3xl flex-1 py-16">
        <h1 className="font-display text-title before:mb-5 before:block before:h-0.5 before:w-14 before:bg-accent-fill">
          {outcome.sent ? CONTACT_TEXTS.sent : 'Get In Touch'}
        </h1>
        {outcome.sent ? (
          <p className="mt-4 text-lead">{CONTACT_TEXTS.thanks}</p>
        ) : (
          <>
            <div role="alert" className="mt-6 border-l-4 border-danger bg-raised px-5 py-4">
              <p className="font-semibold text-danger">{outcome.title}</p>
              <p>{outcome.reason}</p>
            </div>
            <div className="mt-8 site-panel p-6 sm:p-9">
              <ContactForm typed={outcome.typed} initialErrors={outcome.errors} />
            </div>
          </>
        )}
        <Hotline />
        <a href="/" className={link}>
          Back to Home
        </a>
      </main>
      <Footer />
    </div>
  );
}
