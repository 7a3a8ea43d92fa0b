// How to switch location on, drawn: many guards read a picture faster than a paragraph.
import { ChevronDown, Compass, MapPin, Settings, SlidersHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';

const isApple = () => /iPhone|iPad|Macintosh/.test(navigator.userAgent);

/** A row of a phone's screen: an icon, a line for its text, and the control to tap. */
function ScreenRow({ icon, text, control }: { icon: ReactNode; text: string; control: ReactNode }) {
  return (
    <span className="flex h-9 items-center gap-2 rounded-md border border-line bg-raised px-2">
      {icon}
      <span className="min-w-0 flex-1 truncate">{text}</span>
      {control}
    </span>
  );
}

const switchedOn = (
  <span className="flex h-4 w-7 shrink-0 justify-end rounded-full bg-success p-0.5">
    <span className="size-3 rounded-full bg-raised" />
  </span>
);
const ring = 'rounded-full ring-2 ring-accent-fill ring-offset-2 ring-offset-raised';
const allow = <span className={`shrink-0 px-1.5 font-semibold ${ring}`}>Allow</span>;
const pin = <MapPin className="size-4 shrink-0" />;

const addressBar = (icon: ReactNode) => (
  <span className="flex h-9 items-center gap-2 rounded-full border border-line bg-raised px-2">
    <span className={ring}>{icon}</span>
    <span className="truncate">{location.host}</span>
  </span>
);

type Step = { text: string; picture: ReactNode };

const CHROME: Step[] = [
  {
    text: 'Tap the icon to the left of the address.',
    picture: addressBar(<SlidersHorizontal className="size-4" />),
  },
  {
    text: 'Tap Permissions, then Location, and choose Allow.',
    picture: <ScreenRow icon={pin} text="Location" control={allow} />,
  },
  {
    text: 'Swipe down from the top of the phone. Location must be on.',
    picture: <ScreenRow icon={pin} text="Location" control={switchedOn} />,
  },
];

const SAFARI: Step[] = [
  {
    text: 'Open Settings, Privacy & Security, Location Services. It must be on.',
    picture: (
      <ScreenRow
        icon={<Settings className="size-4 shrink-0" />}
        text="Location Services"
        control={switchedOn}
      />
    ),
  },
  {
    text: 'Below it, tap Safari Websites and choose While Using the App.',
    picture: (
      <ScreenRow
        icon={<Compass className="size-4 shrink-0" />}
        text="Safari Websites"
        control={<span className={`size-3 shrink-0 bg-info ${ring}`} />}
      />
    ),
  },
  {
    text: 'Back here, tap the icon to the left of the address, Website Settings, Location, Allow.',
    picture: addressBar(<span className="px-0.5 font-semibold">aA</span>),
  },
];

function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="grid gap-3.5 pt-3.5">
      {steps.map(({ text, picture }, index) => (
        <li key={text} className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1.5">
          <span className="row-span-2 grid size-6 place-items-center rounded-full bg-primary text-sm font-semibold text-primary-ink">
            {index + 1}
          </span>
          <span className="text-sm">{text}</span>
          <span aria-hidden="true" className="max-w-72 text-xs">
            {picture}
          </span>
        </li>
      ))}
    </ol>
  );
}

export function LocationSteps() {
  return (
    <details className="group rounded-sm border border-line bg-sunken px-4 pb-3 [&:not([open])]:pb-0">
      <summary className="flex min-h-11 cursor-pointer items-center justify-between gap-3 font-semibold">
        How to switch location on
        <ChevronDown aria-hidden="true" className="size-5 shrink-0 group-open:rotate-180" />
      </summary>
      <Tabs defaultValue={isApple() ? 'safari' : 'chrome'}>
        <TabsList aria-label="Browser">
          <TabsTrigger value="chrome">Chrome (Android)</TabsTrigger>
          <TabsTrigger value="safari">Safari (iPhone)</TabsTrigger>
        </TabsList>
        <TabsContent value="chrome">
          <Steps steps={CHROME} />
        </TabsContent>
        <TabsContent value="safari">
          <Steps steps={SAFARI} />
        </TabsContent>
      </Tabs>
    </details>
  );
}
