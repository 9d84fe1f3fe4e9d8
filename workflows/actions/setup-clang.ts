import { type ActionMapping, fetched } from './action.ts'

/** Clang comes as a system package, so it must be installed on this machine; its names without a version lead there. */
export const setupClang: ActionMapping = {
  actions: ['egor-tensin/setup-clang'],
  map(call) {
    const version = /^\d+$/.exec(call.with.version ?? '')?.[0]
    const suffix = version === undefined ? '' : `-${version}`
    const names = call.with.cc === '1' || call.with.cc === 'true' ? 'clang=cc clang++=c++' : ''
    return fetched(call, `clang${suffix}`, SCRIPT(suffix, names))
  },
}

const SCRIPT = (suffix: string, names: string): string => `sudo apt-get install -y clang${suffix}
folder=$HOME/.arena-clang
mkdir -p "$folder"
for pair in clang=clang clang++=clang++ ${names}; do
  ln -sf "$(command -v "\${pair%%=*}${suffix}")" "$folder/\${pair##*=}"
done
echo "$folder" >> "$GITHUB_PATH"
`
