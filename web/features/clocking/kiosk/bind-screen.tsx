import { type FormEvent, useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { describeError } from '#web/lib/errors/error-message.ts';
import { bindDevice } from './binding.ts';
import { canKeepScreenOn } from './screen-on.ts';

export function BindScreen({ onBound }: { onBound: () => void }) {
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function bind(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      const reason = await bindDevice(code);
      if (reason) setFailure(reason);
      else onBound();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <main className="m-auto w-[min(24rem,calc(100%-2rem))]">
      <form
        onSubmit={bind}
        autoComplete="off"
        className="grid gap-4 rounded-sm border border-line bg-raised p-6 shadow-panel"
      >
        <h1 className="font-display text-2xl">Bind This Device</h1>
        <p className="text-muted">
          Enter the code from the site’s Devices in the admin portal. It works once.
        </p>
        <label htmlFor="bind-code" className="grid gap-1.5 text-sm font-semibold">
          Code
          <Input
            id="bind-code"
            value={code}
            onChange={(event) => setCode(event.target.value)}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            required
            aria-invalid={failure ? true : undefined}
            aria-describedby="bind-failure"
            className="h-14 text-center text-2xl tracking-[0.2em] uppercase"
          />
        </label>
        <p id="bind-failure" role="alert" className="text-sm text-danger empty:hidden">
          {failure}
        </p>
        <Button type="submit" busy={isBusy} className="min-h-14 text-base">
          Bind Device
        </Button>
        {!canKeepScreenOn() && (
          <p className="text-sm text-muted">
            This browser can’t keep the screen on. Set the device to never turn it off.
          </p>
        )}
      </form>
    </main>
  );
}
