import { ServiceIcon } from '../art/service-icons.tsx';
import { services } from '../content/services.ts';
import { SectionHeading } from './section-heading.tsx';

export function Services() {
  return (
    <section id="services" aria-labelledby="services-title" className="bg-sunken">
      <div className="site-width site-section">
        <SectionHeading id="services-title" title="Comprehensive Security Solutions">
          Each contract starts with a walk around your site and a written plan. You see it, and you
          agree to it, before the first guard arrives.
        </SectionHeading>
        <ul className="mt-10 grid gap-px overflow-hidden border border-line bg-line sm:grid-cols-2 md:mt-14 lg:grid-cols-3">
          {services.map(({ icon, name, description }) => (
            <li key={name} className="bg-raised p-7 sm:p-9">
              <ServiceIcon name={icon} className="size-12 text-accent" />
              <h3 className="mt-6 text-heading font-semibold">{name}</h3>
              <p className="mt-2 text-muted">{description}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
