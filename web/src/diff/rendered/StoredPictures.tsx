/** Pictures of two commits, read from the thread's repository. */

import { useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { get } from "@/api/client";
import { type FilePatch, pathOf } from "@/diff/patch";
import PictureChange, { type Picture } from "@/diff/rendered/PictureChange";
import { bytesOf, canBeDrawn, sizeOf } from "@/diff/rendered/pictures";
import { DiffSourceContext } from "@/diff/whole_file";
import { formatBytes } from "@/format";

/** Show a picture as it was and as it is. */
export default function StoredPictures({ file }: { readonly file: FilePatch }) {
  const source = useContext(DiffSourceContext);
  const thread = source?.threadId ?? "";
  const before = usePicture(thread, file.kind === "add" ? "" : (source?.base ?? ""), file.oldPath);
  const after = usePicture(
    thread,
    file.kind === "delete" ? "" : (source?.commit ?? ""),
    pathOf(file),
  );
  if (before.isLoading || after.isLoading) {
    return <p className="dim">Loading…</p>;
  }
  return <PictureChange before={before.data ?? null} after={after.data ?? null} />;
}

function usePicture(thread: string, commit: string, path: string) {
  return useQuery({
    queryKey: ["picture", thread, commit, path],
    enabled: thread !== "" && commit !== "",
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
    queryFn: () => readPicture(thread, commit, path),
  });
}

/** Read a picture piece by piece; null where there is none that can be shown. */
async function readPicture(thread: string, commit: string, path: string): Promise<Picture | null> {
  const parts: Uint8Array[] = [];
  let [size, mimeType] = [1, ""];
  for (let offset = 0; offset < size; ) {
    const found = await get("/v1/threads/{thread}/contents", {
      path: { thread },
      query: { commit, path, offset },
    });
    if (found.kind === "missing") {
      return null;
    }
    const bytes = bytesOf(found.base64);
    if (found.kind !== "picture" || bytes.length === 0) {
      return { address: null, about: formatBytes(found.size_bytes) };
    }
    parts.push(bytes);
    offset += bytes.length;
    [size, mimeType] = [found.size_bytes, found.mime_type];
  }
  const whole = new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
  const drawn = sizeOf(whole);
  const about = `${drawn ? `${drawn.width} × ${drawn.height}, ` : ""}${formatBytes(size)}`;
  return { address: canBeDrawn(drawn) ? await dataAddress(whole, mimeType) : null, about };
}

/** Pictures come as data: the page's policy allows them no other address. */
function dataAddress(bytes: Uint8Array, mimeType: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(new Blob([bytes as BlobPart], { type: mimeType }));
  });
}
