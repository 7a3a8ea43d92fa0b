// The form itself is rendered into #contact-form-root.
import { company, slots } from '#company';
import { chatUrl, dialled } from './frame.tsx';

const row = 'grid gap-1 border-t border-white/15 py-5';
const value = 'site-link w-fit rounded-sm text-quote text-white';

export function GetInTouch() {
  return (
    <section aria-labelledby="contact-title" className="site-night bg-navy-900 text-white">
      <div className="site-width site-section grid gap-x-16 gap-y-12 lg:grid-cols-12">
        <div className="lg:col-span-5">
          <h2
            id="contact-title"
            className="font-display text-title before:mb-5 before:block before:h-0.5 before:w-14 before:bg-brass-400"
          >
            Get In Touch
          </h2>
          <p className="mt-4 text-lead text-brass-300">24/7 Emergency Response Available</p>
          <dl className="mt-8 border-b border-white/15">
            <div className={row}>
              <dt className="text-sm text-white/75">Emergency hotline</dt>
              <dd>
                <a href={`tel:${dialled}`} className={value}>
                  {company.hotline}
                </a>
              </dd>
            </div>
            {slots.whatsapp && (
              <div className={row}>
                <dt className="text-sm text-white/75">WhatsApp</dt>
                <dd>
                  <a
                    href={chatUrl(slots.whatsapp)}
                    target="_blank"
                    rel="noreferrer"
                    className={value}
                  >
                    {slots.whatsapp}
                  </a>
                </dd>
              </div>
            )}
            <div className={row}>
              <dt className="text-sm text-white/75">Email</dt>
              <dd>
                <a href={`mailto:${company.email}`} className={`${value} break-all`}>
                  {company.email}
                </a>
              </dd>
            </div>
            <div className={row}>
              <dt className="text-sm text-white/75">Location</dt>
              <dd>
                <a href={company.mapUrl} target="_blank" rel="noreferrer" className={value}>
                  {company.addressLabel}
                </a>
              </dd>
            </div>
          </dl>
        </div>
        <div
          id="contact-form"
          className="site-paper scroll-mt-6 border-t-4 border-brass-400 bg-raised p-6 text-ink sm:p-9 lg:col-span-7 print:hidden"
        >
          <h3 className="font-display text-quote">Tell us what needs protecting</h3>
          <p className="mt-1 mb-6 text-muted">
            {slots.replyTime ?? 'An officer reads every request.'} In an emergency, call the hotline
            instead.
          </p>
          <div id="contact-form-root" />
          {slots.privacy && <p className="mt-4 text-sm text-muted">{slots.privacy}</p>}
        </div>
      </div>
    </section>
  );
}
