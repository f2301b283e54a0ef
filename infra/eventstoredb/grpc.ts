import { connectivityState, experimental, Metadata, type ChannelOptions, type MetadataValue } from '@grpc/grpc-js';

/** The policy by which grpc-js connects where nothing else is configured: the first address that answers. */
const PICK_FIRST = 'pick_first';

/** The header that lists the compressions that a client accepts. */
const ACCEPTED_ENCODINGS = 'grpc-accept-encoding';

/**
 * A subchannel that is asked to connect only while it does not wait for its next attempt. grpc-js 1.14.7 remembers what is
 * asked meanwhile, and connects once more after the wait although everybody has let go of it by then: nobody closes what
 * it gets. The policy asks again when the wait is over, so nothing is missed.
 */
class UnhurriedSubchannel extends experimental.BaseSubchannelWrapper {
  override startConnecting(): void {
    if (this.getConnectivityState() !== connectivityState.TRANSIENT_FAILURE) super.startConnecting();
  }
}

/** Details with which grpc-js fails a call on a connection that had failed before this channel used it. */
const UNKNOWN_ERROR = 'Last error: null';

/**
 * Why the last connection to some addresses failed, by these addresses. grpc-js shares connections among channels: one
 * that finds a connection that has failed already does not learn why. An entry ends when a connection succeeds.
 */
const failures = new Map<string, string>();

/** The policy of grpc-js over such connections. */
class UnhurriedPickFirst implements experimental.LoadBalancer {
  readonly #helper: experimental.ChannelControlHelper;
  #policy: experimental.LeafLoadBalancer | null = null;
  #addresses = '';

  constructor(helper: experimental.ChannelControlHelper) {
    this.#helper = experimental.createChildChannelControlHelper(helper, {
      createSubchannel: (address, options) => new UnhurriedSubchannel(helper.createSubchannel(address, options)),
      updateState: (state, picker, error) => {
        if (state === connectivityState.READY) failures.delete(this.#addresses);
        const known = failures.get(this.#addresses);
        if (error === null) {
          helper.updateState(state, picker, error);
        } else if (error.includes(UNKNOWN_ERROR) && known !== undefined) {
          helper.updateState(state, new experimental.UnavailablePicker({ details: known }), known);
        } else {
          failures.set(this.#addresses, error);
          helper.updateState(state, picker, error);
        }
      },
    });
  }

  updateAddressList(
    endpoints: experimental.StatusOr<experimental.Endpoint[]>,
    _config: experimental.TypedLoadBalancingConfig,
    options: ChannelOptions,
    resolutionNote: string,
  ): boolean {
    if (!endpoints.ok) {
      // What is known of the addresses stays in use.
      if (this.#policy === null) this.#fail(endpoints.error.details);
      return true;
    }
    const addresses = endpoints.value.flatMap((endpoint) => endpoint.addresses);
    this.#addresses = JSON.stringify(addresses);
    if (addresses.length === 0) {
      this.#fail(`no address was found; ${resolutionNote}`);
      return false;
    }
    if (this.#policy === null) {
      this.#policy = new experimental.LeafLoadBalancer({ addresses }, this.#helper, options, resolutionNote);
      this.#policy.startConnecting();
    } else {
      this.#policy.updateEndpoint({ addresses }, options);
    }
    return true;
  }

  exitIdle(): void {
    this.#policy?.exitIdle();
  }

  /** The policy has no pauses of its own. */
  resetBackoff(): void {
    return undefined;
  }

  destroy(): void {
    this.#policy?.destroy();
    this.#policy = null;
  }

  getTypeName(): string {
    return PICK_FIRST;
  }

  #fail(details: string): void {
    const picker = new experimental.UnavailablePicker({ details });
    this.#helper.updateState(connectivityState.TRANSIENT_FAILURE, picker, details);
  }
}

/** The policy has no settings here. */
class PickFirstConfig implements experimental.TypedLoadBalancingConfig {
  static createFromJson(): PickFirstConfig {
    return new PickFirstConfig();
  }

  getLoadBalancerName(): string {
    return PICK_FIRST;
  }

  toJsonObject(): object {
    return { [PICK_FIRST]: {} };
  }
}

/**
 * Has every channel of this process connect by the policy above, those included that the client opens by itself to find
 * the nodes of a cluster.
 */
export function useUnhurriedConnections(): void {
  experimental.registerLoadBalancerType(PICK_FIRST, UnhurriedPickFirst, PickFirstConfig);
}

/**
 * The headers of a call whose answers a server leaves as they are. grpc-js sets that it understands gzip, and KurrentDB
 * 25.1 to 26.1.0 then compresses every message, which costs this process more than all else that it does for one.
 */
export class UncompressedMetadata extends Metadata {
  constructor(other: Metadata) {
    super(other.getOptions());
    this.merge(other);
  }

  override set(key: string, value: MetadataValue): void {
    super.set(key, key.toLowerCase() === ACCEPTED_ENCODINGS ? 'identity' : value);
  }

  /** grpc-js sets the header on a copy. */
  override clone(): UncompressedMetadata {
    return new UncompressedMetadata(super.clone());
  }
}
