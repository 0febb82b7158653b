FROM rust:1.95.0-bookworm AS build
# The image has the pinned toolchain. Named here, it is used as it is; rustup does not install the components of
# rust-toolchain.toml that only the checks need.
ENV RUSTUP_TOOLCHAIN=1.95.0
WORKDIR /mazed
COPY . .
# The commit that the metrics name; the image of the build need not have git.
ARG MAZED_COMMIT=unknown
RUN .ci/build-static /mazed-static

# Nothing but the one static binary: no shell, no libraries, nothing to patch.
FROM scratch
COPY --from=build /mazed-static /mazed
# A user number instead of a name: the image has no user database, and an orchestrator can see that this is not root.
USER 65532:65532
ENV MAZED_ADDR=0.0.0.0:8080
# Probes and metrics have a port of their own, which need not be published.
ENV MAZED_ADMIN_ADDR=:8081
EXPOSE 8080 8081
HEALTHCHECK --interval=10s --timeout=3s --start-period=2s CMD ["/mazed", "healthcheck"]
ENTRYPOINT ["/mazed"]
