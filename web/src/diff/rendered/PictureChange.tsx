/** A picture before and after: side by side, one swiped over the other, or one through the other. */

import { SegmentedControl, Slider } from "@mantine/core";
import { useState } from "react";
import classes from "@/diff/diff.module.css";

/** A picture; without an address it cannot be shown. */
export interface Picture {
  readonly address: string | null;
  readonly about?: string;
}

interface Props {
  /** Null where there was none. */
  readonly before: Picture | null;
  readonly after: Picture | null;
}

type Way = "beside" | "swipe" | "onion";

const WAYS = [
  { value: "beside", label: "Side by side" },
  { value: "swipe", label: "Swipe" },
  { value: "onion", label: "Onion skin" },
] as const;

/** Show both pictures. */
export default function PictureChange({ before, after }: Props) {
  const [way, setWay] = useState<Way>("beside");
  const [share, setShare] = useState(50);
  const isPair = Boolean(before?.address && after?.address);
  return (
    <>
      {isPair && (
        <SegmentedControl
          aria-label="Compare pictures"
          value={way}
          onChange={(value) => setWay(value as Way)}
          data={[...WAYS]}
        />
      )}
      {!isPair || way === "beside" ? (
        <div className={classes.pictures}>
          {before && <Side name="Before" picture={before} />}
          {after && <Side name="After" picture={after} />}
        </div>
      ) : (
        <>
          <Slider
            mt="xs"
            maw={320}
            label={null}
            thumbLabel={way === "swipe" ? "Swipe position" : "Opacity of the new picture"}
            value={share}
            onChange={setShare}
          />
          <div className={classes.over}>
            <img src={before?.address ?? ""} alt="Before" />
            <img
              src={after?.address ?? ""}
              alt="After"
              style={
                way === "swipe"
                  ? { clipPath: `inset(0 ${100 - share}% 0 0)` }
                  : { opacity: share / 100 }
              }
            />
          </div>
        </>
      )}
    </>
  );
}

function Side({ name, picture }: { readonly name: string; readonly picture: Picture }) {
  return (
    <figure className={classes.side}>
      <figcaption className="dim">
        {name}
        {picture.about && `, ${picture.about}`}
      </figcaption>
      {picture.address === null ? (
        <p className="dim">Too large to show, or not a supported format.</p>
      ) : (
        <img className={classes.picture} src={picture.address} alt={name} />
      )}
    </figure>
  );
}
