import { Drawing } from '../art/drawing.tsx';
import camera from '../art/service-camera.svg?raw';
import escort from '../art/service-escort.svg?raw';
import event from '../art/service-event.svg?raw';
import facility from '../art/service-facility.svg?raw';
import patrol from '../art/service-patrol.svg?raw';
import response from '../art/service-response.svg?raw';
import { SectionHeading } from './frame.tsx';

type Service = { icon: string; name: string; description: string };

export const services: Service[] = [
  {
    icon: facility,
    name: 'Facility Protection',
    description:
      'Gates, receptions and perimeters of embassies, offices, warehouses and residences, with access control and a written log of every visitor.',
  },
  {
    icon: escort,
    name: 'VIP and Escort Services',
    description:
      'Close protection and secure transfers for diplomats, executives and families, on routes that are checked before you travel.',
  },
  {
    icon: event,
    name: 'Event Security',
    description:
      'Entry screening, crowd control and emergency exits for conferences, weddings, matches and public ceremonies.',
  },
  {
    icon: camera,
    name: 'Surveillance and CCTV',
    description:
      'Camera placement, installation and monitoring, with recordings kept safe and ready when you need evidence.',
  },
  {
    icon: patrol,
    name: '24/7 Patrol Services',
    description:
      'Marked foot and vehicle patrols, day and night, at times nobody can predict. Each round is confirmed by GPS.',
  },
  {
    icon: response,
    name: 'Rapid Response',
    description:
      'A team on standby around the clock, sent the moment an alarm, a guard or your call asks for one.',
  },
];

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
              <Drawing svg={icon} className="size-12 text-accent" />
              <h3 className="mt-6 text-heading font-semibold">{name}</h3>
              <p className="mt-2 text-muted">{description}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
