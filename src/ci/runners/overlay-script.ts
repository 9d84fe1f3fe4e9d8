/**
 * Shell text that stacks layers in the current folder: `area` is the overlay, with `home` and `tmp`; `top/up` is what is
 * written. Takes the layers from "$@", up to `--`, $overlay and $bind (mount options), and $owner (the sandbox's user, or -).
 * Layers are bound under short names, so that no path of the host shows in the mount table.
 */
export const OVERLAY_SCRIPT = `
mkdir -p area top/up top/work layers/none/home layers/none/tmp
lower=
count=0
while [ "$1" != -- ]; do
  mkdir "layers/$count"
  mount -o "$bind" "$1" "layers/$count"
  lower=$lower\${lower:+:}layers/$count
  count=$((count + 1))
  shift
done
shift
if [ "$owner" != - ]; then chown "$owner:$owner" layers/none/home layers/none/tmp; fi
mount -t overlay -o "lowerdir=$lower\${lower:+:}layers/none,upperdir=top/up,workdir=top/work,$overlay" overlay area
chmod 1777 area/tmp
`

export const topOptions = (sizeMiB: number): string =>
  `mode=700,size=${sizeMiB}m,nr_inodes=${sizeMiB * 256},nosuid,nodev`

/** redirect_dir and metacopy would make a snapshot of the top layer depend on the layers below it. */
export const overlayOptions = (asRoot: boolean): string =>
  asRoot ? 'redirect_dir=off,metacopy=off,index=off' : 'userxattr'
