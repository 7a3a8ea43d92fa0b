// Parts of the page that appear when company.config.ts fills them in.
import type { Careers, Insurance, Leader, Licence, Reference, Sector } from '#company';
import { SectionHeading } from './frame.tsx';

export function Sectors({ sectors }: { sectors: Sector[] }) {
  if (sectors.length === 0) return null;
  return (
    <section aria-label="Who we protect" className="border-b border-line bg-raised">
      <ul className="site-width grid gap-x-8 gap-y-5 py-8 xs:grid-cols-2 lg:grid-cols-4 lg:py-10">
        {sectors.map(({ name, text }) => (
          <li key={name} className="border-l-2 border-accent-fill pl-4">
            <span className="block font-semibold">{name}</span>
            <span className="text-sm text-muted">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

type CredentialsProps = { licences: Licence[]; insurance: Insurance[] };

export function Credentials({ licences, insurance }: CredentialsProps) {
  if (licences.length + insurance.length === 0) return null;
  const entries = [
    ...licences.map(({ name, issuer, number, validUntil }) => ({
      name,
      by: issuer,
      detail: `No. ${number}${validUntil ? `, valid until ${validUntil}` : ''}`,
    })),
    ...insurance.map(({ cover, insurer, limit }) => ({ name: cover, by: insurer, detail: limit })),
  ];
  return (
    <section aria-labelledby="credentials-title" className="site-width site-section">
      <SectionHeading id="credentials-title" title="Licences and Insurance">
        Ask us for copies before you sign.
      </SectionHeading>
      <ul className="mt-10 grid gap-5 sm:grid-cols-2 md:mt-14 lg:grid-cols-3">
        {entries.map(({ name, by, detail }) => (
          <li key={name} className="site-panel border-t-2 border-t-accent-fill p-6">
            <h3 className="font-semibold">{name}</h3>
            <p className="mt-1 text-muted">{by}</p>
            {detail && <p className="mt-3 text-sm tabular-nums">{detail}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Leaders({ leaders }: { leaders: Leader[] }) {
  if (leaders.length === 0) return null;
  return (
    <div className="mt-14">
      <h3 className="text-heading font-semibold">Who leads the firm</h3>
      <ul className="mt-6 grid gap-6 sm:grid-cols-2 lg:grid-cols-4">
        {leaders.map(({ name, role, text, photograph }) => (
          <li key={name} className="site-panel">
            {photograph && (
              <img
                src={photograph.file}
                alt={photograph.alt}
                loading="lazy"
                decoding="async"
                className="aspect-4/5 w-full object-cover"
              />
            )}
            <div className="p-5">
              <h4 className="font-semibold">{name}</h4>
              <p className="text-sm text-accent">{role}</p>
              {text && <p className="mt-2 text-sm text-muted">{text}</p>}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function References({ references }: { references: Reference[] }) {
  if (references.length === 0) return null;
  return (
    <section aria-labelledby="references-title" className="site-width site-section">
      <SectionHeading id="references-title" title="What Clients Say" />
      <ul className="mt-10 grid gap-6 md:mt-14 lg:grid-cols-2">
        {references.map(({ quote, name, organisation }) => (
          <li key={name}>
            <figure className="site-panel h-full p-7 sm:p-9">
              <blockquote className="font-display text-quote">{quote}</blockquote>
              <figcaption className="mt-5 text-sm text-muted">
                <span className="font-semibold text-ink">{name}</span>, {organisation}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function CareersSection({ careers }: { careers?: Careers }) {
  if (!careers) return null;
  return (
    <section aria-labelledby="careers-title" className="site-width site-section">
      <SectionHeading id="careers-title" title="Careers">
        {careers.text}
      </SectionHeading>
      <ul className="mt-8 grid gap-x-8 gap-y-3 sm:grid-cols-2">
        {careers.requirements.map((requirement) => (
          <li key={requirement} className="border-l-2 border-accent-fill pl-4">
            {requirement}
          </li>
        ))}
      </ul>
      <a
        href={`mailto:${careers.email}`}
        className="mt-6 inline-flex min-h-11 items-center font-semibold text-accent underline underline-offset-4"
      >
        Apply: {careers.email}
      </a>
    </section>
  );
}
