/** Keeps one broken part from taking the page with it. */

import { Component, type ReactNode } from "react";
import { Empty } from "@/ui/Empty";

interface Props {
  readonly children: ReactNode;
}

/** Shows its children; if one of them fails, what failed and a way on. */
export class Fallback extends Component<Props, { readonly words: string | null }> {
  override state = { words: null };

  static getDerivedStateFromError(error: unknown) {
    return { words: String(error) };
  }

  override render(): ReactNode {
    if (this.state.words === null) {
      return this.props.children;
    }
    return (
      <Empty title="This part of the page failed" text="Nothing that you sent is lost.">
        <pre className="mono">{this.state.words}</pre>
        <button type="button" onClick={() => this.setState({ words: null })}>
          Show it again
        </button>
      </Empty>
    );
  }
}
