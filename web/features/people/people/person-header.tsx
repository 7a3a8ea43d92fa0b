import { useQuery } from '@tanstack/react-query';
import { Mail, MapPin, MessageSquare, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatPhone, toE164 } from '#shared/phone.ts';
import { maySetPhotos } from '#shared/screens.ts';
import { EmailText } from '#web/components/text/email-text.tsx';
import { Avatar } from '#web/components/ui/avatar.tsx';
import { Badge, StatusBadge } from '#web/components/ui/badge.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Item } from '#web/components/ui/figures.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { formatDateTime, formatDay } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { personPhotoQuery } from '#web/lib/photos/person-photo.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import { PhotoButtons } from './photo-buttons.tsx';
import { findPresence } from './presence.ts';
import type { Account, Person } from './schema.ts';
import { useNearDuties } from './sections-api.ts';

function rolesOf({ roles }: Account): string {
  return roles
    .map(({ role, sites }) => `${ROLE_LABELS[role]}${sites ? ` (${sites.name})` : ''}`)
    .join(', ');
}

function StateBadges({ person }: { person: Person }) {
  const { account, left_on, hasAccount } = person;
  if (left_on) return <Badge tone="grey">Left on {formatDay(left_on)}</Badge>;
  if (!hasAccount) return <Badge tone="orange">No account</Badge>;
  if (account?.disabled) return <StatusBadge status="disabled" />;
  if (account?.must_change_password) return <StatusBadge status="invited" />;
  return null;
}

const ACTION = buttonStyles({ variant: 'secondary', className: 'flex-1 px-4 sm:flex-none' });

/** Call, text and WhatsApp need no typing on a phone. */
function ContactLinks({
  name,
  number,
  email,
}: {
  name: string;
  number: string | undefined;
  email: string | null;
}) {
  if (number === undefined && email === null) return null;
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      {number !== undefined && (
        <>
          <a href={`tel:${number}`} className={ACTION} aria-label={`Call ${name}`}>
            <Phone aria-hidden="true" className="size-4.5" />
            Call
          </a>
          <a href={`sms:${number}`} className={ACTION} aria-label={`Text ${name}`}>
            <MessageSquare aria-hidden="true" className="size-4.5" />
            Text
          </a>
          <a
            href={`https://wa.me/${number.slice(1)}`}
            target="_blank"
            rel="noreferrer"
            className={ACTION}
            aria-label={`WhatsApp ${name}`}
          >
            WhatsApp
          </a>
        </>
      )}
      {email !== null && (
        <a href={`mailto:${email}`} className={ACTION} aria-label={`Email ${name}`}>
          <Mail aria-hidden="true" className="size-4.5" />
          Email
        </a>
      )}
    </div>
  );
}

function Today({ id }: { id: string }) {
  return (
    <div className="border-t border-line px-5 py-4 sm:px-6">
      <h3 className="sr-only">Today</h3>
      <Loaded query={useNearDuties(id)} loadingText="Loading today...">
        {(duties) => {
          const { label, tone, detail, site } = findPresence(duties, Date.now());
          return (
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <Badge tone={tone}>{label}</Badge>
              <p className="font-semibold">{detail}</p>
              {site && (
                <p className="flex min-w-0 items-center gap-1.5 text-muted">
                  <MapPin aria-hidden="true" className="size-4 shrink-0" />
                  <span className="[overflow-wrap:anywhere]">
                    {site.name}, {site.address}
                  </span>
                </p>
              )}
            </div>
          );
        }}
      </Loaded>
    </div>
  );
}

export function PersonHeader({ person, actions }: { person: Person; actions: ReactNode }) {
  const { id, account, staff, email, phone, hasAccount, photo_path } = person;
  const { home_area, home_region, max_distance_km } = person;
  const { roles } = useAuth();
  const { data: photo } = useQuery(personPhotoQuery(photo_path));
  const name = formatName(person);
  const number = phone === null ? undefined : toE164(phone);
  const role = account && account.roles.length > 0 ? rolesOf(account) : undefined;
  const employedAs = staff ? ROLE_LABELS[staff.role] : undefined;
  return (
    <Card>
      <div className="grid gap-5 p-5 sm:p-6">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
          <div className="flex min-w-0 items-start gap-4 sm:gap-6">
            <Avatar name={name} photo={photo} className="size-20 text-2xl sm:size-24 sm:text-3xl" />
            <div className="min-w-0">
              <h2 className="font-display text-3xl leading-tight [overflow-wrap:anywhere] sm:text-4xl">
                {name}
              </h2>
              <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-muted">
                {role ?? employedAs}
                <StateBadges person={person} />
              </p>
              {hasAccount && maySetPhotos(roles) && <PhotoButtons person={person} />}
            </div>
          </div>
          {actions}
        </div>
        <ContactLinks name={name} number={number} email={email} />
        <dl className="flex flex-wrap gap-x-10 gap-y-3">
          <Item name="Phone">
            <span className="tabular-nums">
              {number === undefined ? (phone ?? 'Not known') : formatPhone(number)}
            </span>
          </Item>
          <Item name="Email">{email ? <EmailText address={email} /> : 'None'}</Item>
          {hasAccount && (
            <Item name="Home area">
              {[home_area, home_region].filter(Boolean).join(', ') || 'Not known'}
            </Item>
          )}
          {max_distance_km !== null && <Item name="Works within">{max_distance_km} km</Item>}
          {staff && <Item name="Hired">{formatDay(staff.hire_date)}</Item>}
          {account?.last_sign_in_at !== undefined && (
            <Item name="Last sign-in">
              {account.last_sign_in_at ? formatDateTime(account.last_sign_in_at) : 'Never'}
            </Item>
          )}
        </dl>
      </div>
      {hasAccount && <Today id={id} />}
    </Card>
  );
}
