// Suspense and error boundary for a lazily loaded part of a screen: when its file can't be loaded, the rest of the screen stays.
import { Component, type ReactNode, Suspense } from 'react';
import { isMissingFile } from '#web/lib/errors/missing-file.ts';
import { retryAtNextMount } from '#web/lib/render/lazily.tsx';
import { MissingFileNotice } from './missing-file.tsx';

type LazyPartProps = {
  /** Shown while the file loads. */
  fallback?: ReactNode;
  /** Shown in its place if the file can't be loaded. */
  instead?: ReactNode;
  /** With it, a failure is shown at the bottom of the screen and can be dismissed; otherwise in the part's own place. */
  onClose?: () => void;
  children: ReactNode;
};

export class LazyPart extends Component<LazyPartProps, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    retryAtNextMount(error);
  }

  override render() {
    const { fallback, instead, onClose, children } = this.props;
    const { error } = this.state;
    if (error === undefined) return <Suspense fallback={fallback}>{children}</Suspense>;
    if (!isMissingFile(error)) throw error;
    return (
      <>
        {instead}
        <MissingFileNotice error={error} onClose={onClose} />
      </>
    );
  }
}
