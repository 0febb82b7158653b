FROM rust:1.95.0-bookworm AS build
# The image's own toolchain is the pinned one; named here, it is not asked for the components that only checks need.
ENV RUSTUP_TOOLCHAIN=1.95.0
WORKDIR /mazed
COPY . .
RUN .ci/build-static /mazed-static

# Nothing but the one static binary: no shell, no libraries, nothing to patch.
FROM scratch
COPY --from=build /mazed-static /mazed
# A number, so that an orchestrator can see that it is not root without a user database.
USER 65532:65532
ENV MAZED_ADDR=0.0.0.0:8080
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=2s CMD ["/mazed", "healthcheck"]
ENTRYPOINT ["/mazed"]
