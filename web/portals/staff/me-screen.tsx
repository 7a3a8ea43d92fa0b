import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  BadgeCheck,
  Bell,
  CalendarClock,
  CalendarHeart,
  CalendarSync,
  ChevronDown,
  ChevronRight,
  CloudUpload,
  ExternalLink,
  KeyRound,
  Megaphone,
} from 'lucide-react';
import { Avatar } from '#web/components/ui/avatar.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { SignOutButton } from '#web/features/rights/auth/sign-out-button.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { chooseTheme, THEME_LABELS, THEMES, useTheme } from '#web/lib/app/theme.ts';
import { personPhotoQuery } from '#web/lib/photos/person-photo.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { profileQuery } from '#web/lib/session/session-queries.ts';
import { signInName } from '#web/lib/session/sign-in-name.ts';
import { CallHotline, GuideSteps } from './first-day.tsx';

const RECORDS = [
  {
    to: '/staff/attendance',
    label: 'My Attendance',
    text: 'Hours and overtime',
    Icon: CalendarClock,
  },
  {
    to: '/staff/certifications',
    label: 'My Certifications',
    text: 'And when they expire',
    Icon: BadgeCheck,
  },
  {
    to: '/staff/availability',
    label: 'Availability',
    text: 'Days you can, and days you can’t',
    Icon: CalendarHeart,
  },
  {
    to: '/staff/announcements',
    label: 'Announcements',
    text: 'What the office writes to you',
    Icon: Megaphone,
  },
  {
    to: '/staff/notices',
    label: 'Notices',
    text: 'And how they reach you',
    Icon: Bell,
  },
  {
    to: '/staff/calendar',
    label: 'Calendar',
    text: 'Your shifts in your calendar',
    Icon: CalendarSync,
  },
  {
    to: '/staff/waiting',
    label: 'Waiting to send',
    text: 'What this phone has not sent yet',
    Icon: CloudUpload,
  },
  { to: '/account', label: 'Account', text: 'Name, password, devices', Icon: KeyRound },
] as const;

function ThemePicker() {
  const theme = useTheme();
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-semibold">Colour theme</legend>
      <div className="grid grid-cols-3 gap-2">
        {THEMES.map((choice) => {
          const { label, Icon } = THEME_LABELS[choice];
          return (
            <label
              key={choice}
              className="relative flex min-h-12 items-center justify-center gap-2 rounded-sm border border-line-strong text-sm font-semibold has-checked:border-primary has-checked:bg-primary has-checked:text-primary-ink has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
            >
              <input
                type="radio"
                name="theme"
                className="absolute inset-0 size-full cursor-pointer opacity-0"
                checked={choice === theme}
                onChange={() => chooseTheme(choice)}
              />
              <Icon aria-hidden="true" className="size-4" />
              {label}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

export function MeScreen() {
  const { user } = useAuth();
  const { data: profile } = useQuery(profileQuery(user?.id));
  const { data: photo } = useQuery(personPhotoQuery(profile?.photo_path));
  usePageTitle('Me');
  if (!user) return null;
  return (
    <div className="grid max-w-4xl grid-cols-1 gap-6">
      <div className="flex items-center gap-4">
        {photo && <Avatar name={profile?.full_name || 'Me'} photo={photo} className="size-16" />}
        <div className="min-w-0">
          <h1 className="font-display text-3xl leading-tight break-words sm:text-4xl">
            {profile?.full_name || 'Me'}
          </h1>
          <p className="mt-1 [overflow-wrap:anywhere] text-muted">{signInName(user)}</p>
        </div>
      </div>
      <Card>
        <ul aria-label="My records" className="divide-y divide-line">
          {RECORDS.map(({ to, label, text, Icon }) => (
            <li key={to}>
              <Link
                to={to}
                className="flex min-h-16 items-center gap-4 px-4 py-2.5 hover:bg-sunken/60 sm:px-5"
              >
                <Icon aria-hidden="true" className="size-5 shrink-0 text-accent" />
                <span className="min-w-0 flex-1">
                  <span className="block font-semibold">{label}</span>
                  <SecondLine wraps>{text}</SecondLine>
                </span>
                <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-muted" />
              </Link>
            </li>
          ))}
        </ul>
      </Card>
      <Card className="p-5 sm:p-6">
        <h2 className="mb-1 font-display text-xl leading-tight">Help</h2>
        <p className="mb-4 text-sm text-muted">The control room answers day and night.</p>
        <CallHotline className="w-full sm:w-auto" />
        <details className="group mt-4 border-t border-line pt-1">
          <summary className="flex min-h-11 cursor-pointer items-center justify-between gap-3 font-semibold">
            How a shift works
            <ChevronDown aria-hidden="true" className="size-5 shrink-0 group-open:rotate-180" />
          </summary>
          <div className="pt-2">
            <GuideSteps />
          </div>
        </details>
        <a
          href="/guide/guard.html"
          target="_blank"
          rel="noreferrer"
          className="flex min-h-11 items-center justify-between gap-3 border-t border-line font-semibold"
        >
          <span>
            How to use the app<span className="sr-only"> (opens in a new tab)</span>
          </span>
          <ExternalLink aria-hidden="true" className="size-5 shrink-0" />
        </a>
      </Card>
      <Card className="grid gap-6 p-5 sm:p-6">
        <ThemePicker />
        <SignOutButton label="Logout" />
      </Card>
    </div>
  );
}
