import { Bell, BellOff, Volume2, VolumeX } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { choose, useChoice } from './alarm-choices.ts';
import { allowSound, playSound } from './alarm-sound.ts';
import { allowNotices, useAlarms } from './use-alarms.ts';

async function switchSound(on: boolean) {
  choose('sound', on);
  if (!on) return;
  await allowSound();
  playSound('alert');
}

async function switchNotices(on: boolean) {
  if (!on || (await allowNotices())) choose('notices', on);
  else showError('Notices are blocked', 'Allow notifications for this site in the browser.');
}

const style = 'px-3 aria-pressed:bg-chosen';

/** Sound and desktop notices of new alerts; off until the user switches them on. */
export function AlarmControls() {
  useAlarms();
  const sound = useChoice('sound');
  const notices = useChoice('notices');
  const SoundIcon = sound ? Volume2 : VolumeX;
  const NoticeIcon = notices ? Bell : BellOff;
  return (
    <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1 sm:ml-auto">
      <Button
        variant="secondary"
        aria-pressed={sound}
        className={style}
        onClick={() => void switchSound(!sound)}
      >
        <SoundIcon aria-hidden="true" className="size-4.5" />
        <span>
          Sound<span aria-hidden="true">{sound ? ' on' : ' off'}</span>
        </span>
      </Button>
      <Button
        variant="secondary"
        aria-pressed={notices}
        className={style}
        onClick={() => void switchNotices(!notices)}
      >
        <NoticeIcon aria-hidden="true" className="size-4.5" />
        <span>
          <span className="max-sm:sr-only">Desktop notices</span>
          <span className="sm:hidden">Notices</span>
          <span aria-hidden="true">{notices ? ' on' : ' off'}</span>
        </span>
      </Button>
    </div>
  );
}
