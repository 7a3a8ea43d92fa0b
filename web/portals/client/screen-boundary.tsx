import { Component, type ReactNode } from 'react';
import { ScreenFailure } from '#web/components/layout/screen.tsx';

type State = { failure?: { error: unknown } };

/** Replaces a screen that can't be rendered. Its key should be the place, so that another one opens. */
export class ScreenBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error } };
  }

  override render() {
    const { failure } = this.state;
    if (!failure) return this.props.children;
    return (
      <ScreenFailure error={failure.error} onRetry={() => this.setState({ failure: undefined })} />
    );
  }
}
