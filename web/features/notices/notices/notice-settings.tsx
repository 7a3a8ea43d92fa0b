import { useEffect, useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { type NoticeOptions, useNoticeOptions, useSaveOptions } from './api.ts';
import { type PushState, readPushState, turnPushOff, turnPushOn } from './push.ts';

const PUSH_TEXTS: Record<PushState, string> = {
  on: 'On for this device.',
  off: 'Off for this device.',
  denied: 'Your browser blocks notices from this site. Allow them in its settings.',
  install:
    'On an iPhone or iPad only the installed app gets push messages. Tap Share, then Add to Home Screen, open it there and turn them on.',
  unsupported:
    'This browser can’t get push messages. Choose another way above, or open the app in another browser.',
};

function PushHere({ serverKey }: { serverKey: string | null }) {
  const [state, setState] = useState<PushState>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    void readPushState().then(setState, console.warn);
  }, []);
  if (state === undefined || serverKey === null) return null;
  async function toggle(key: string) {
    setBusy(true);
    try {
      await (state === 'on' ? turnPushOff() : turnPushOn(key));
      showSuccess(state === 'on' ? 'Turned Off' : 'Turned On');
    } catch (error) {
      showError('Error', describeError(error));
    } finally {
      setState(await readPushState());
      setBusy(false);
    }
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
      <p className="min-w-48 flex-1 text-sm">
        <span className="block font-semibold">This device</span>
        <span className="text-muted">{PUSH_TEXTS[state]}</span>
      </p>
      {(state === 'on' || state === 'off') && (
        <Button variant="secondary" busy={busy} onClick={() => toggle(serverKey)}>
          {state === 'on' ? 'Turn off' : 'Turn on'}
        </Button>
      )}
    </div>
  );
}

type Way = 'push' | 'email' | 'sms' | 'daily_report';

function Choices({ options }: { options: NoticeOptions }) {
  const save = useSaveOptions();
  const [chosen, setChosen] = useState(options);
  const ways: { way: Way; label: string; text: string; isPossible: boolean }[] = [
    { way: 'push', label: 'Push messages', text: 'On the devices you turn on', isPossible: true },
    {
      way: 'email',
      label: 'E-mail',
      text: options.address ?? 'Your account has no e-mail address.',
      isPossible: options.address !== null,
    },
    {
      way: 'sms',
      label: 'Text messages',
      text: options.has_text_messages
        ? options.phone === null
          ? 'Your account has no phone number.'
          : `${options.phone}. Calls of your response unit come in any case.`
        : 'The company sends no text messages yet.',
      isPossible: options.has_text_messages && options.phone !== null,
    },
    ...(options.daily_report === null
      ? []
      : [
          {
            way: 'daily_report' as const,
            label: 'Daily report',
            text: 'Coverage, incidents and alerts of the last 24 hours, by e-mail at 6 AM',
            isPossible: options.address !== null,
          },
        ]),
  ];
  async function change(way: Way) {
    const before = chosen;
    const next = { ...chosen, [way]: !chosen[way] };
    setChosen(next);
    try {
      await save.mutateAsync(next);
    } catch (error) {
      setChosen(before);
      showError('Error', describeError(error));
    }
  }
  return (
    <>
      <ul className="divide-y divide-line">
        {ways.map(({ way, label, text, isPossible }) => (
          <li key={way}>
            <div className="relative flex min-h-14 items-center gap-3 py-2">
              <Checkbox
                id={`notices-${way}`}
                checked={chosen[way] === true && isPossible}
                disabled={!isPossible || save.isPending}
                onChange={() => change(way)}
              />
              <label htmlFor={`notices-${way}`} className="min-w-0">
                <span className="block font-semibold">{label}</span>
                <span className="block text-sm [overflow-wrap:anywhere] text-muted">{text}</span>
              </label>
            </div>
          </li>
        ))}
      </ul>
      {chosen.push && <PushHere serverKey={options.push_key} />}
    </>
  );
}

export function NoticeSettings() {
  const query = useNoticeOptions();
  return (
    <section aria-labelledby="notice-settings">
      <Card className="grid gap-3 p-5 sm:p-6">
        <h2 id="notice-settings" className="font-display text-xl leading-tight">
          How notices reach you
        </h2>
        <p className="text-sm text-muted">
          They are always here. Notices that come together are sent as one message.
        </p>
        <Loaded query={query} loadingText="Loading..." failure="Error">
          {(options) => <Choices options={options} />}
        </Loaded>
      </Card>
    </section>
  );
}
